import { Context, type Effect, Schema } from "effect"

/** A JSON schema, as far as the reference shows it. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly description?: string
  readonly examples?: ReadonlyArray<unknown>
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<Shape>
}

const Text = Schema.optionalKey(Schema.String)
const Texts = Schema.Array(Schema.String)
const Shape: Schema.Codec<Shape> = Schema.Struct({
  $ref: Text,
  type: Schema.optionalKey(Schema.Union([Schema.String, Texts])),
  format: Text,
  enum: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  description: Text,
  examples: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  items: Schema.optionalKey(Schema.suspend(() => Shape)),
  properties: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.suspend(() => Shape)
    )
  ),
  required: Schema.optionalKey(Texts),
  anyOf: Schema.optionalKey(Schema.Array(Schema.suspend(() => Shape)))
})

const Content = Schema.Record(
  Schema.String,
  Schema.Struct({ schema: Schema.optionalKey(Shape), example: Schema.optionalKey(Schema.Unknown) })
)

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header", "cookie"]),
  required: Schema.optionalKey(Schema.Boolean),
  description: Text,
  schema: Shape,
  example: Schema.optionalKey(Schema.Unknown)
})

const Operation = Schema.Struct({
  operationId: Schema.String,
  tags: Texts,
  summary: Schema.String,
  description: Text,
  security: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  parameters: Schema.optionalKey(Schema.Array(Parameter)),
  requestBody: Schema.optionalKey(Schema.Struct({ content: Content })),
  responses: Schema.Record(
    Schema.String,
    Schema.Struct({ description: Schema.String, content: Schema.optionalKey(Content) })
  )
})
export type Operation = typeof Operation.Type

/** An OpenAPI document, as far as the reference shows it. */
const Document = Schema.Struct({
  servers: Schema.NonEmptyArray(Schema.Struct({ url: Schema.String })),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Text })),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, Shape) })
})
export type Document = typeof Document.Type

export const decodeDocument = Schema.decodeUnknownEffect(Document)

/** The OpenAPI document of this build. */
export class ApiDocument extends Context.Service<
  ApiDocument,
  {
    /** As it is served. */
    readonly whole: object
    /** What the reference shows of it. */
    readonly shown: Effect.Effect<Document>
  }
>()("civic-record/ApiDocument") {}
