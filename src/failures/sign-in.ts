import type { UnknownProvider } from "../../layers/identity/identity.ts"
import { wireError } from "../api/errors/classes.ts"
import { shortened, unavailable } from "../api/errors/common.ts"
import type { SignInFailed, SignInFailure } from "../services/accounts/sign-in-attempts.ts"
import { toTheRecord } from "./words.ts"

interface Explained {
  /** The heading of the page that a browser gets. */
  readonly title: string
  /** The problem, worded for the person signing in. */
  readonly text: string
  /**
   * `refused`: the provider's answer is not acceptable; `nobody`: it is, but signs nobody in; `away`: the provider is
   * not responding.
   */
  readonly kind: "refused" | "nobody" | "away"
}

const notYours: Explained = {
  title: "This is not the sign-in you started",
  text: "This sign-in does not belong to the one that was started in this browser.",
  kind: "refused"
}

export const signInReasons: Readonly<Record<SignInFailure, Explained>> = {
  over: {
    title: "This sign-in is over",
    text: "This sign-in was already completed, took longer than 10 minutes, or was never started here.",
    kind: "refused"
  },
  other_browser: notYours,
  state_mismatch: notYours,
  nonce_mismatch: notYours,
  issuer_mismatch: {
    title: "You were not signed in",
    text: "The answer came from a different sign-in provider than the one that was asked.",
    kind: "refused"
  },
  code_refused: {
    title: "This sign-in is over",
    text: "The sign-in provider says that this sign-in was already used, or took too long.",
    kind: "refused"
  },
  token_invalid: {
    title: "You were not signed in",
    text: "The sign-in provider's answer could not be verified.",
    kind: "refused"
  },
  provider_refused: {
    title: "You were not signed in",
    text: "The sign-in provider refused to sign you in.",
    kind: "nobody"
  },
  denied: { title: "You were not signed in", text: "The sign-in was canceled. Nothing has changed.", kind: "nobody" },
  email_missing: {
    title: "You were not signed in",
    text: "The sign-in provider gave no e-mail address, and an account needs one.",
    kind: "nobody"
  },
  email_unverified: {
    title: "You were not signed in",
    text: "The sign-in provider has not verified that the e-mail address is yours. Verify it there, then sign in again.",
    kind: "nobody"
  },
  unavailable: {
    title: "The sign-in provider cannot be reached",
    text: "The sign-in provider is not responding as it should. Try again in a minute.",
    kind: "away"
  }
}

/** Where to start over, with the same return path. */
const startOf = ({ provider, returnTo }: SignInFailed): string => {
  const query = returnTo === "/" ? "" : `?return_to=${encodeURIComponent(returnTo)}`
  return `/api/auth/oidc/${encodeURIComponent(provider)}/start${query}`
}

const unknownProvider = (provider: string) => `No sign-in provider is called "${shortened(provider)}".`

/** Failures of signing in. */
export const signInFailures = {
  SignInFailed: {
    api: (failure: SignInFailed) => {
      const { text, kind } = signInReasons[failure.reason]
      const start = startOf(failure)
      switch (kind) {
        case "refused":
          return wireError("invalid_request", text, `Start again at ${start}.`)
        case "nobody":
          return wireError("sign_in_required", text, `Sign in at ${start}.`)
        case "away":
          return unavailable(text, `start again at ${start}`)
      }
    },
    signIn: (failure: SignInFailed) => {
      const { title, text } = signInReasons[failure.reason]
      return { title, text, link: { href: startOf(failure), text: "Try again" } }
    }
  },

  UnknownProvider: {
    api: ({ provider }: UnknownProvider) =>
      wireError(
        "not_found",
        unknownProvider(provider),
        "GET /api/auth/session lists the providers and where to start."
      ),
    signIn: ({ provider }: UnknownProvider) => ({
      title: "Unknown sign-in provider",
      text: unknownProvider(provider),
      link: toTheRecord
    })
  }
}
