import { Context } from "effect"

/** The five security schemes of spec section 5, as the OpenAPI document names them; they are the whole set. */
export const securitySchemes = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "cr_session",
    description: "The reader's session, set by signing in at /signin. Accounts are free and open to everyone."
  },
  share_grant: {
    type: "apiKey",
    in: "query",
    name: "st",
    description:
      "A grant to read one meeting for 14 days, minted by `GET /api/meetings/{id}/share`. Redeeming it with `POST /api/share/redeem` turns it into the `cr_share` cookie."
  },
  media_signature: {
    type: "apiKey",
    in: "query",
    name: "sig",
    description:
      "Part of the addresses that the clips, video, agenda and graphics operations return. Valid for six hours; callers never build one themselves."
  },
  email_graphic: {
    type: "apiKey",
    in: "query",
    name: "eg",
    description: "Part of the address of one figure in a recap e-mail. It does not expire."
  },
  agent_token: {
    type: "http",
    scheme: "bearer",
    description:
      "Starts with `cr_agent_`. Minted by hand by an operator for a named machine, and accepted only under /api/agent/."
  }
} as const

type SecurityScheme = keyof typeof securitySchemes

/** Alternatives, one of which must be met. An empty one stands for an anonymous caller. */
export type Requirement = ReadonlyArray<Partial<Record<SecurityScheme, readonly []>>>

/** The credentials that an operation needs. An operation that does not say is open to everyone in full. */
export const Security = Context.Reference<Requirement | undefined>("civic-record/Security", {
  defaultValue: () => undefined
})

/** Whether callers without a credential are refused. A grant being redeemed is in the body, so it does not count. */
export const needsCredential = (requirement: Requirement | undefined): boolean =>
  requirement?.some((one) => "session" in one || "agent_token" in one) === true &&
  requirement.every((one) => Object.keys(one).length > 0)

/** A session, or a grant to the requested meeting. */
export const sessionOrGrant: Requirement = [{ session: [] }, { share_grant: [] }]

/** The operation is open to anonymous callers too, who get less. */
export const anyoneOrReader: Requirement = [{}, ...sessionOrGrant]

export const sessionOnly: Requirement = [{ session: [] }]

export const grantOnly: Requirement = [{ share_grant: [] }]
