import { Layer } from "effect"
import { loadHome } from "../../pages/home.ts"
import { pageRoute } from "./page-route.ts"

/** The pages of the record, each at its path and under `/md`. */
export const PageRoutes = Layer.mergeAll(pageRoute("/", loadHome))
