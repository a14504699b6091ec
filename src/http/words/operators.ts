import { wireError } from "../../api/errors/classes.ts"

/** RFC 6750, section 3: how to authenticate here. No protected-resource metadata, for there is none (spec section 5). */
const challenge = (error?: "invalid_token" | "insufficient_scope") => ({
  "www-authenticate": `Bearer realm="agent"${error === undefined ? "" : `, error="${error}"`}`
})

/** Who may operate the service by program. */
export const operatorWords = {
  AgentTokenRequired: () =>
    wireError(
      "agent_token_required",
      "This needs an agent token, and the request has none in its Authorization header.",
      "Send Authorization: Bearer cr_agent_…; an operator mints a token on the console or with the command token mint.",
      challenge()
    ),

  AgentTokenInvalid: () =>
    wireError(
      "agent_token_invalid",
      "The agent token is unknown or was revoked.",
      "Ask an operator to mint a new token for this machine.",
      challenge("invalid_token")
    ),

  AgentTokenReadOnly: () =>
    wireError(
      "agent_token_read_only",
      "The agent token was not minted for this completion run, so it changes nothing here.",
      "Ask an operator for a token of the run: civic-record token mint --machine NAME --run ID.",
      challenge("insufficient_scope")
    )
}
