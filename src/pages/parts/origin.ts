/**
 * One of the service's addresses without its host: a browser may know the service by another name than `BASE_URL`, and
 * a page's policy allows its own origin only.
 */
export const onThisOrigin = (url: string): string => {
  const { pathname, search } = new URL(url, "http://localhost")
  return pathname + search
}
