/**
 * A query, without its question mark, in which every parameter that is written as a list, `type[]=`, has its plain
 * name, `type=` (spec 4.4 writes `follow_agency[]`).
 */
export const withPlainNames = (query: string): string =>
  query.replaceAll(/(?<=^|&)([^=&]+?)(?:\[|%5B)(?:\]|%5D)(?==|&|$)/gi, "$1")
