import { Effect, Layer } from "effect"
import { loadBodies, loadMerge, loadMoves, mergeBodies, undoMove } from "../../console/bodies.ts"
import { pairRecording } from "../../console/channel-recordings.ts"
import { decideClip, loadClips } from "../../console/clips.ts"
import { loadFoundSources } from "../../console/find-source.ts"
import { loadHome } from "../../console/home.ts"
import { loadLogs } from "../../console/logs.ts"
import { correctMeeting, loadMeeting, loadTakedown, takeMeetingDown } from "../../console/meeting.ts"
import { loadMeetings } from "../../console/meetings.ts"
import { settleMistake } from "../../console/mistakes.ts"
import { loadCosts, loadDrills, loadGaps, loadHistory, loadWorkers } from "../../console/overview.ts"
import { loadPeople, loadPersonMerge, mergePeople, splitPerson } from "../../console/people.ts"
import { discardUpload, fetchRecording, largestPlain, loadRecording, takeFile } from "../../console/recording.ts"
import { loadRemovals, restoreRemoval, takeOutWords } from "../../console/removals.ts"
import {
  endRun,
  importDiscovered,
  rerunUnderRun,
  retryUnderRun,
  settleBody,
  startRun
} from "../../console/run-actions.ts"
import { loadRun, loadRuns } from "../../console/runs.ts"
import { changeSetting, loadSettingChange, loadSettingFamily, loadSettings } from "../../console/settings.ts"
import { permitSource, withdrawPermission } from "../../console/site-permission.ts"
import { editSource, loadSourceRemoval, pauseSource, removeSource } from "../../console/source-changes.ts"
import { askPast, loadPast, stopPast } from "../../console/source-past.ts"
import { addSource, crawlSource, foundBody, loadSource, loadSources, mapSource } from "../../console/sources.ts"
import { cancelTask, rerunTask, retryTask } from "../../console/task-actions.ts"
import { loadTask, loadTasks } from "../../console/tasks.ts"
import { loadTokens, mintToken, revokeToken } from "../../console/tokens.ts"
import { Assets } from "../../pages/assets.ts"
import { Operators } from "../../services/operators/operators.ts"
import { AssetsRoute } from "../pages/assets-route.ts"
import { consoleRouting } from "./console-routes.ts"
import { consoleSignIn } from "./console-sign-in.ts"
import { appendToUpload, beginUpload, finishUpload } from "./upload-routes.ts"

/** The operators' console: all of its pages and actions. For the operators' listener only. */
export const ConsoleRoutes = Layer.unwrap(
  Effect.gen(function* () {
    const { page, action, script, show } = yield* consoleRouting
    return Layer.mergeAll(
      Layer.mergeAll(
        page("/", loadHome),
        page("/tasks", loadTasks),
        page("/tasks/:id", loadTask),
        action("/tasks/:id/retry", retryTask),
        action("/tasks/:id/cancel", cancelTask),
        action("/tasks/:id/rerun", rerunTask),
        page("/workers", loadWorkers),
        page("/logs", loadLogs),
        page("/costs", loadCosts),
        page("/gaps", loadGaps),
        page("/drills", loadDrills),
        page("/history", loadHistory)
      ),
      Layer.mergeAll(
        page("/settings", loadSettings),
        page("/settings/change", loadSettingChange),
        action("/settings/change", changeSetting, loadSettingChange),
        page("/settings/:family", loadSettingFamily),
        page("/sources", loadSources),
        action("/sources", addSource, loadSources),
        page("/sources/find", loadFoundSources),
        page("/sources/:id", loadSource),
        action("/sources/:id", editSource, loadSource),
        page("/sources/:id/remove", loadSourceRemoval),
        action("/sources/:id/remove", removeSource),
        action("/sources/:id/crawl", crawlSource),
        action("/sources/:id/pause", pauseSource(true)),
        action("/sources/:id/resume", pauseSource(false)),
        action("/sources/:id/bodies", mapSource, loadSource),
        action("/sources/:id/found", foundBody),
        action("/sources/:id/recordings", pairRecording, loadSource),
        action("/sources/:id/permission", permitSource, loadSource),
        action("/sources/:id/permission/withdraw", withdrawPermission),
        page("/sources/:id/past", loadPast),
        action("/sources/:id/past", askPast, loadSource),
        action("/sources/:id/past/stop", stopPast)
      ),
      Layer.mergeAll(
        page("/meetings", loadMeetings),
        page("/meetings/:id", loadMeeting),
        action("/meetings/:id", correctMeeting, loadMeeting),
        page("/meetings/:id/takedown", loadTakedown),
        action("/meetings/:id/takedown", takeMeetingDown, loadTakedown),
        page("/meetings/:id/recording", loadRecording),
        action("/meetings/:id/recording", fetchRecording, loadRecording),
        action("/meetings/:id/recording/file", takeFile, loadRecording, largestPlain),
        script("POST", "/meetings/:id/uploads", beginUpload),
        script("PATCH", "/uploads/:id", appendToUpload),
        script("POST", "/uploads/:id/finish", finishUpload),
        action("/uploads/:id/discard", discardUpload),
        action("/mistakes/:id/settle", settleMistake),
        page("/clips", loadClips),
        action("/clips/:id/publish", decideClip("publish")),
        action("/clips/:id/dismiss", decideClip("dismiss")),
        page("/removals", loadRemovals),
        action("/removals", takeOutWords, loadRemovals),
        action("/removals/:id/restore", restoreRemoval),
        page("/bodies", loadBodies),
        page("/bodies/merge", loadMerge),
        action("/bodies/merge", mergeBodies, loadMerge),
        page("/bodies/moves", loadMoves),
        action("/bodies/moves/:id/undo", undoMove),
        page("/people", loadPeople),
        page("/people/merge", loadPersonMerge),
        action("/people/merge", mergePeople, loadPersonMerge),
        action("/people/:slug/split", splitPerson)
      ),
      Layer.mergeAll(
        page("/tokens", loadTokens),
        action("/tokens", mintToken, loadTokens),
        action("/tokens/:id/revoke", revokeToken),
        page("/runs", loadRuns),
        action("/runs", startRun, loadRuns),
        page("/runs/:id", loadRun),
        action("/runs/:run/end", endRun),
        action("/runs/:run/discovered/:id/import", importDiscovered),
        action("/runs/:run/discovered/:id/same-body", settleBody),
        action("/runs/:run/meetings/:id/rerun/:stage", rerunUnderRun),
        action("/runs/:run/tasks/:id/retry", retryUnderRun)
      ),
      yield* consoleSignIn(show),
      AssetsRoute
    )
  })
).pipe(Layer.provide([Assets.layer, Operators.layer]))
