import { Effect } from "effect"
import type { AgentSettings } from "../../schema/agent/settings.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import type { NotFound } from "../services/failures.ts"
import { SettingFamilies } from "../services/settings/setting-families.ts"
import {
  type InvalidValue,
  isSettingName,
  Settings,
  settingForms,
  settingNamed,
  typedValue,
  type UnknownSetting
} from "../services/settings/settings.ts"
import { formField } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { facts, field, form, part, table, when } from "./parts.ts"

type Shown = AgentSettings["settings"][number]

const familyNav = (families: ReadonlyArray<string>, current?: string): Kid =>
  el(
    "nav",
    { "aria-label": "Families of settings", class: "tabs" },
    el(
      "ul",
      {},
      families.map((name) =>
        el(
          "li",
          {},
          el("a", { href: `/settings/${name}`, "aria-current": name === current ? "page" : undefined }, name)
        )
      )
    )
  )

const shownValue = ({ type, value, secret }: Shown): string =>
  type === "secret" ? (secret ?? "unset") : value === undefined ? "unset" : String(value)

const changeForm = (setting: Shown): Kid =>
  isSettingName(setting.name)
    ? el(
        "form",
        { method: "get", action: "/settings/change", class: "inline" },
        el("input", { type: "hidden", name: "name", value: setting.name }),
        setting.type === "boolean"
          ? el("input", { type: "hidden", name: "value", value: String(setting.value !== true) })
          : el("input", {
              type: "text",
              name: "value",
              value: shownValue(setting),
              inputmode: "numeric",
              autocomplete: "off",
              "aria-label": `New value of ${setting.name}`
            }),
        el(
          "button",
          { type: "submit", class: "plain" },
          setting.type === "boolean" ? `Switch ${setting.value === true ? "off" : "on"}` : "Change",
          el("span", { class: "unseen" }, ` ${setting.name}`)
        )
      )
    : "set by the environment"

/** `/settings`: the families. */
export const loadSettings: ConsoleLoad<never, SettingFamilies> = Effect.fn("Console.settings")(function* () {
  const { families } = yield* SettingFamilies
  return {
    title: "Settings",
    section: "/settings",
    main: [heading("Settings"), familyNav(families), el("p", { class: "note" }, "Secrets show as set or unset only.")]
  }
})

/** `/settings/{family}`: its settings and their history. */
export const loadSettingFamily: ConsoleLoad<NotFound, SettingFamilies> = Effect.fn("Console.settingFamily")(function* ({
  params
}) {
  const all = yield* SettingFamilies
  const { family, settings, history } = yield* all.family(params.family ?? "")
  return {
    title: `Settings: ${family}`,
    section: "/settings",
    main: [
      heading(`Settings: ${family}`),
      familyNav(all.families, family),
      table(
        "Settings",
        ["Setting", "Value", "Change", "About"],
        settings.map((setting) => [
          el("code", {}, setting.name),
          shownValue(setting),
          changeForm(setting),
          setting.about
        ]),
        "This deployment has none of these."
      ),
      part(
        "Changes",
        table(
          "Changes",
          ["At", "Setting", "Before", "After", "By"],
          history.map(({ at, name, before, after, changed_by }) => [
            when(at),
            name,
            before === undefined ? "unset" : String(before),
            String(after),
            changed_by
          ]),
          "None of them was changed yet."
        )
      )
    ]
  }
})

/** `/settings/change?name&value`: asks for confirmation, and explains the setting. */
export const loadSettingChange: ConsoleLoad<UnknownSetting, Settings> = Effect.fn("Console.settingChange")(function* ({
  query
}) {
  const name = yield* settingNamed(query.get("name") ?? "")
  const value = query.get("value") ?? ""
  const { about, mustBe } = settingForms[name]
  const now = yield* (yield* Settings).get(name)
  return {
    title: `Change ${name}`,
    section: "/settings",
    main: [
      heading(`Change ${name}?`),
      el("p", { class: "lede" }, about),
      facts([
        ["Now", String(now)],
        ["It must be", mustBe]
      ]),
      form(
        "/settings/change",
        "Change it everywhere now",
        el("input", { type: "hidden", name: "name", value: name }),
        field({ name: "value", label: "New value", value })
      ),
      el("p", {}, el("a", { href: `/settings/${name.split(".", 1).join("")}` }, "Leave it as it is"))
    ]
  }
})

export const changeSetting: ConsoleAct<UnknownSetting | InvalidValue, Settings> = Effect.fn("Console.changeSetting")(
  function* ({ form }) {
    const name = yield* settingNamed(yield* formField(form, "name"))
    const value = yield* formField(form, "value")
    yield* (yield* Settings).set(name, typedValue(value))
    return { to: `/settings/${name.split(".", 1).join("")}`, said: `${name} is now ${value}, in every process.` }
  }
)
