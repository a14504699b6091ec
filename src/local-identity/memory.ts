import type { Clock } from "effect"
import type { Adapter, AdapterPayload } from "oidc-provider"
import { makeBoundedMap, mostSignIns } from "./bounded-map.ts"

interface Kept {
  readonly id: string
  readonly payload: AdapterPayload
  readonly lapses: number
}

/**
 * The provider's storage, in this process: sign-ins under way and codes, which live for minutes. A restart forgets
 * them, and a person who was signing in starts again; Civic Record's own sessions are stored elsewhere. Each kind is
 * bounded, because anybody can begin a sign-in.
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
    // For the device flow, which is not offered.
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
