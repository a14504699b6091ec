/**
 * The API reference: Swagger UI, loaded only on this page. It sends its requests to this origin, whatever name the
 * browser uses for it.
 */
declare global {
  interface Window {
    SwaggerUIBundle?: (options: Readonly<Record<string, unknown>>) => unknown
  }
}

/** Adds an element that loads something, and waits until it is loaded. */
const loaded = (element: HTMLLinkElement | HTMLScriptElement): Promise<void> =>
  new Promise((resolve, reject) => {
    element.onload = () => resolve()
    element.onerror = () => reject(new Error("A file of the reference cannot be loaded"))
    document.head.append(element)
  })

const script = (src: string) => Object.assign(document.createElement("script"), { src })
const styleSheet = (href: string) => Object.assign(document.createElement("link"), { rel: "stylesheet", href })

/** The page already has a main landmark; the library's becomes part of it. */
const mendLandmarks = (place: HTMLElement): void => {
  for (const part of place.querySelectorAll("main:not([role])")) {
    part.setAttribute("role", "region")
    part.setAttribute("aria-label", "List of operations")
  }
}

const show = async (place: HTMLElement): Promise<void> => {
  const { document: at = "", script: library = "", style = "" } = place.dataset
  const dark = matchMedia("(prefers-color-scheme: dark)")
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches)
  follow()
  dark.addEventListener("change", follow)
  const [answer] = await Promise.all([
    fetch(at, { headers: { accept: "application/json" } }),
    loaded(script(library)),
    loaded(styleSheet(style))
  ])
  const spec: object = await answer.json()
  new MutationObserver(() => mendLandmarks(place)).observe(place, { childList: true, subtree: true })
  window.SwaggerUIBundle?.({
    domNode: place,
    spec: { ...spec, servers: [{ url: location.origin }] },
    // A link inside an operation's button would be a control within a control.
    deepLinking: false,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    // Its colors have too little contrast with their background.
    syntaxHighlight: false,
    validatorUrl: null
  })
}

const place = document.getElementById("reference")
const state = document.getElementById("reference-state")
if (place !== null && state !== null) {
  state.textContent = "Loading the operations…"
  show(place).then(
    () => {
      state.textContent = ""
    },
    (cause: unknown) => {
      reportError(cause)
      state.textContent = "The list of operations could not be loaded. Reload the page to try again."
    }
  )
}

export {}
