import type { Clock } from "effect"
import type { Adapter, AdapterPayload } from "oidc-provider"

interface Kept {
  readonly payload: AdapterPayload
  readonly lapses: number
}

/**
 * What the provider stores, in this process: sign-ins under way and codes that live for minutes. A restart forgets
 * them, and whoever was signing in begins again; sessions of Civic Record are elsewhere and not touched by it.
 */
export const memoryAdapter = (clock: Clock.Clock) => {
  const kept = new Map<string, Kept>()
  const sweep = (now: number) => {
    for (const [key, { lapses }] of kept) if (lapses <= now) kept.delete(key)
  }

  return (model: string): Adapter => {
    const find = async (id: string) => {
      const found = kept.get(`${model}:${id}`)
      return found !== undefined && found.lapses > clock.currentTimeMillisUnsafe() ? found.payload : undefined
    }
    const where = async (matches: (payload: AdapterPayload) => boolean) =>
      [...kept].find(([key, { payload }]) => key.startsWith(`${model}:`) && matches(payload))?.[1].payload

    return {
      find,
      findByUid: (uid) => where((payload) => payload.uid === uid),
      findByUserCode: (userCode) => where((payload) => payload.userCode === userCode),
      upsert: async (id, payload, expiresIn = 3600) => {
        const now = clock.currentTimeMillisUnsafe()
        sweep(now)
        kept.set(`${model}:${id}`, { payload, lapses: now + expiresIn * 1000 })
      },
      consume: async (id) => {
        const payload = await find(id)
        if (payload !== undefined) payload.consumed = true
      },
      destroy: async (id) => {
        kept.delete(`${model}:${id}`)
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
      }
    }
  }
}
