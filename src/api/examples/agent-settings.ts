import type { AgentDrills } from "../../../schema/agent/drill.ts"
import type { AgentModels } from "../../../schema/agent/money.ts"
import type { AgentSettings } from "../../../schema/agent/settings.ts"

/** Answers to operators about models, settings and drills, at one instant and with one model's usage. */
export const settingExamples = (at: string, usage: AgentModels["models"][number]["today"]) => ({
  listAgentDrills: {
    drills: [
      {
        id: "0199d3f0-0000-7000-8000-00000000000e",
        state: "passed",
        started_by: "console",
        started_at: at,
        ended_at: "2026-03-12T08:31:00.000Z",
        report: {
          stages: [
            {
              stage: "crawl",
              verdict: "passed",
              finding: "The meeting is on record with its body, day, hour and title."
            },
            {
              stage: "transcribe",
              verdict: "not_judged",
              finding: "no speech model is configured (SPEECH_MODEL_URL or SPEECH_MODEL_FILE)"
            }
          ],
          seconds: 96.4
        }
      }
    ]
  } satisfies AgentDrills,
  listAgentModels: {
    models: [
      {
        purpose: "language",
        configured: true,
        name: "a-model",
        provider: "models.example.com",
        key: "set",
        today: usage,
        last_30_days: usage
      }
    ],
    budget: { daily_micros: 5_000_000, spent_today_micros: 412_500 }
  } satisfies AgentModels,
  getAgentSettings: {
    family: "pipeline",
    settings: [
      {
        name: "pipeline.ClaimCheck",
        type: "boolean",
        value: true,
        initial: true,
        from: "setting",
        about: "Whether a briefing waits for its claims to be checked before it is served.",
        changed_at: at
      }
    ],
    history: [{ id: 3, at, name: "pipeline.ClaimCheck", before: false, after: true, changed_by: "console" }]
  } satisfies AgentSettings
})
