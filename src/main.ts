#!/usr/bin/env node
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect } from "effect"
import { civicRecord, teardown } from "./cli.ts"

NodeRuntime.runMain(Effect.provide(civicRecord, NodeServices.layer), { disableErrorReporting: true, teardown })
