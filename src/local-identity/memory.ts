import type { Clock } from "effect"
import type { Adapter, AdapterPayload } from "oidc-provider"
import { makeBoundedMap, mostSignIns } from "./bounded-map.ts"

interface Kept {
  readonly id: string
  readonly payload: AdapterPayload
  readonly lapses: number
}

/**
 * What the provider stores, in this process: sign-ins under way and codes that live for minutes. A restart forgets them,
 * and whoever was signing in begins again; sessions of Civic Record are kept elsewhere and not touched by it. Of each
 * kind there is a bounded number, because anybody can begin a sign-in.
 */
export const memoryAdapter = (clock: Clock.Clock) => (): Adapter => {
  const kept = makeBoundedMap<Kept>(mostSignIns)
  const byUid = makeBoundedMap<string>(mostSignIns)

  const find = async (id: string) => {
    const found = kept.get(id)
    return found !== undefined && found.lapses > clock.currentTimeMillisUnsafe() ? found.payload : undefined
  }

  return {
    find,
    findByUid: async (uid) => {
      const found = await find(byUid.get(uid) ?? "")
      return found?.uid === uid ? found : undefined
    },
    // Of the device flow, which is not offered.
    findByUserCode: async () => undefined,
    upsert: async (id, payload, expiresIn = 3600) => {
      const now = clock.currentTimeMillisUnsafe()
      const time = { now, lapses: now + expiresIn * 1000 }
      kept.set(id, { id, payload, lapses: time.lapses }, time)
      if (payload.uid !== undefined) byUid.set(payload.uid, id, time)
    },
    consume: async (id) => {
      const payload = await find(id)
      if (payload !== undefined) payload.consumed = true
    },
    destroy: async (id) => kept.delete(id),
    revokeByGrantId: async (grantId) => {
      for (const { id, payload } of kept.values().toArray()) if (payload.grantId === grantId) kept.delete(id)
    }
  }
}
