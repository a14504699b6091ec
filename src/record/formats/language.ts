import { Result } from "effect"
import { Language } from "../../../schema/primitives.ts"
import { decoder } from "./decode.ts"
import { usualLanguage } from "./transcripts.ts"

const decodeLanguage = decoder(Language)

/** The shortest tag of a language: `eng` is `en`, `en_us` is `en-US`. The usual one for what is none. */
export const languageOf = (tag: string | null | undefined): string => {
  const decoded = decodeLanguage(tag?.toLowerCase().replaceAll("_", "-"))
  if (Result.isFailure(decoded)) return usualLanguage
  return Intl.getCanonicalLocales(decoded.success)[0] ?? usualLanguage
}
