import { fold } from "../text/fold.ts"

/** The longest slug that the schema allows (schema/primitives.ts). */
const longest = 160

/**
 * The lower-case words of a name joined by hyphens, without accents: "Doña Ana County" is `dona-ana-county`. An
 * apostrophe joins ("Women's" is `womens`), `&` is `and`. A name without letters or digits gives "".
 */
export const slugify = (name: string): string => {
  const slug = fold(name.normalize("NFKC"))
    .replace(/['`]/g, "")
    .replace(/&/g, " and ")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
  return slug.length <= longest ? slug : slug.slice(0, slug.lastIndexOf("-", longest)).slice(0, longest)
}

/** The last position where `slug` has the words of `part` as whole words, or -1. */
const wordsAt = (slug: string, part: string): number => {
  const at = `-${slug}-`.lastIndexOf(`-${part}-`)
  return part === "" ? -1 : at
}

/**
 * The slugs of a body at a place. `slug` is the name's, prefixed with the place's where the name does not include it,
 * so that it is unique everywhere; `segment` is what the name says after the place: "Knoxville City Council" at
 * `knoxville` is `knoxville-city-council` and `city-council`, and "City Council" there is the same body.
 */
export const bodySlugs = (name: string, place: { readonly slug: string; readonly name: string }) => {
  const full = slugify(name)
  const placeName = slugify(place.name)
  const at = wordsAt(full, placeName)
  const after = at === -1 ? "" : full.slice(at + placeName.length + 1)
  const segment = after === "" ? full : after
  return { slug: wordsAt(full, place.slug) === -1 ? slugify(`${place.slug}-${segment}`) : full, segment }
}
