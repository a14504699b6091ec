import { Layer } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"

const baseUrl = "http://record.example.gov"

/** The settings of services that need no data folder. */
export const TestEnvironment = Layer.effect(Environment, readEnvironment({ BASE_URL: baseUrl }))
