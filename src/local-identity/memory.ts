import type { Clock } from "effect"
import { LRUCache } from "lru-cache"
import type { Adapter, AdapterPayload } from "oidc-provider"

/** How many sign-ins may be under way: far more than the readers of one machine begin, at a few kilobytes each. */
export const mostSignIns = 2000

interface Stored {
  readonly payload: AdapterPayload
  readonly expires: number
}

/**
 * The provider's storage, in this process: sign-ins under way and codes, which live for minutes. A restart forgets
 * them, and a person who was signing in starts again; Civic Record's own sessions are stored elsewhere. Each kind is
 * bounded, because anybody can begin a sign-in: the oldest make room, and reading one (`peek`) makes it no younger.
 */
export const memoryAdapter = (clock: Clock.Clock) => (): Adapter => {
  const stored = new LRUCache<string, Stored>({ max: mostSignIns })
  const idOfUid = new LRUCache<string, string>({ max: mostSignIns })

  const find = async (id: string) => {
    const found = stored.peek(id)
    return found !== undefined && found.expires > clock.currentTimeMillisUnsafe() ? found.payload : undefined
  }

  return {
    find,
    findByUid: async (uid) => {
      const found = await find(idOfUid.peek(uid) ?? "")
      return found?.uid === uid ? found : undefined
    },
    // For the device flow, which is not offered.
    findByUserCode: async () => undefined,
    upsert: async (id, payload, expiresIn = 3600) => {
      stored.set(id, { payload, expires: clock.currentTimeMillisUnsafe() + expiresIn * 1000 })
      if (payload.uid !== undefined) idOfUid.set(payload.uid, id)
    },
    consume: async (id) => {
      const payload = await find(id)
      if (payload !== undefined) payload.consumed = true
    },
    destroy: async (id) => {
      stored.delete(id)
    },
    revokeByGrantId: async (grantId) => {
      for (const [id, { payload }] of [...stored]) if (payload.grantId === grantId) stored.delete(id)
    }
  }
}
