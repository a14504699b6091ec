import { Context } from "effect"

/** The five security schemes of spec section 5, as the OpenAPI document names them; they are the whole set. */
export const securitySchemes = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "cr_session",
    description: "The reader's session, from signing in at /signin. Accounts are free and open."
  },
  share_grant: {
    type: "apiKey",
    in: "query",
    name: "st",
    description:
      "A grant to one meeting for 14 days, minted by `GET /api/meetings/{id}/share`. Once redeemed with `POST /api/share/redeem` it is the cookie `cr_share`."
  },
  media_signature: {
    type: "apiKey",
    in: "query",
    name: "sig",
    description:
      "Minted complete by the clips, video, agenda and graphics operations, for six hours; never built by a caller."
  },
  email_graphic: {
    type: "apiKey",
    in: "query",
    name: "eg",
    description: "Minted into recap e-mails only, for one mailed figure; it does not expire."
  },
  agent_token: {
    type: "http",
    scheme: "bearer",
    description: "Begins with `cr_agent_`; minted by hand by an operator for a named machine. Only under /api/agent/."
  }
} as const

export type SecurityScheme = keyof typeof securitySchemes

/** Alternatives, of which one must be met; an empty one is an anonymous caller. */
export type Requirement = ReadonlyArray<Partial<Record<SecurityScheme, readonly []>>>

/** What it takes to call an operation; one that says nothing answers anyone in full. */
export const Security = Context.Reference<Requirement | undefined>("civic-record/Security", {
  defaultValue: () => undefined
})

/** A session, or a grant to the meeting that is asked for. */
export const sessionOrGrant: Requirement = [{ session: [] }, { share_grant: [] }]

/** The same operation answers an anonymous caller too, with less. */
export const anyoneOrReader: Requirement = [{}, ...sessionOrGrant]

export const sessionOnly: Requirement = [{ session: [] }]

export const grantOnly: Requirement = [{ share_grant: [] }]
