/** Told apart in this order, because each names those after it as well. */
const browsers: ReadonlyArray<readonly [sign: RegExp, name: string]> = [
  [/\bEdg(A|iOS)?\//, "Edge"],
  [/\b(OPR|OPT|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [sign: RegExp, name: string]> = [
  [/\b(iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"]
]

/**
 * The family of a browser and of its system, such as `Firefox on Linux`, by which readers know their sessions apart;
 * neither versions nor models. Undefined if neither is known.
 */
export const browserFamily = (userAgent: string | undefined): string | undefined => {
  const nameIn = (list: typeof browsers) => list.find(([sign]) => sign.test(userAgent ?? ""))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  return browser === undefined ? system : system === undefined ? browser : `${browser} on ${system}`
}
