/**
 * A day as Popolo writes it, where the month or the day may be missing: `2019` begins on January 1 and ends on
 * December 31. Undefined if it is none.
 */
export const dayFrom = (text: string | null | undefined, side: "start" | "end"): string | undefined => {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?=[T ]|$)/.exec(text ?? "") ?? []
  if (year === undefined || year < "1601") return undefined
  const within = month ?? (side === "start" ? "01" : "12")
  const last = new Date(Date.UTC(Number(year), Number(within), 0)).getUTCDate()
  const found = `${year}-${within}-${day ?? (side === "start" ? "01" : String(last))}`
  return Number.isNaN(Date.parse(found)) ? undefined : found
}
