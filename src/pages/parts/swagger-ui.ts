import library from "swagger-ui-dist/package.json" with { type: "json" }

/** The files of Swagger UI that the reference loads. */
export const swaggerFiles = {
  script: "swagger-ui-bundle.js",
  style: "swagger-ui.css"
} as const

/** The path of a file of this version; another version has another path. */
export const swaggerFilePath = (file: string): `/${string}` => `/assets/swagger-ui/${library.version}/${file}`
