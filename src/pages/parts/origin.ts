/**
 * An address of ours without its host: a browser may know the service by another name than `BASE_URL`, and the policy
 * of a page lets it load from its own origin only.
 */
export const onThisOrigin = (url: string): string => {
  const { pathname, search } = new URL(url, "http://localhost")
  return pathname + search
}
