/** A response of the API: the value requested, or what is wrong and what to do, in words. */
export type Answer<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly why: string }

const asked = async <A>(address: string, init: RequestInit = {}): Promise<Answer<A>> => {
  try {
    const answer = await fetch(address, {
      ...init,
      headers: {
        accept: "application/json",
        ...(init.body === undefined ? {} : { "content-type": "application/json" })
      }
    })
    if (answer.status === 204) return { ok: true, value: undefined as A }
    const body = await answer.json()
    if (answer.ok) return { ok: true, value: body }
    return { ok: false, why: answer.status === 401 ? "You are no longer signed in. Sign in again." : `${body.message}` }
  } catch {
    return { ok: false, why: "The service cannot be reached. Try again in a moment." }
  }
}

export const get = <A>(address: string): Promise<Answer<A>> => asked(address)

export const post = <A>(address: string, body: object): Promise<Answer<A>> =>
  asked(address, { method: "POST", body: JSON.stringify(body) })

export const remove = (address: string): Promise<Answer<void>> => asked(address, { method: "DELETE" })
