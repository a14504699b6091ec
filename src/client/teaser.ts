/** The page of a meeting, for everyone else. */
import "./copying.ts"
import "./watch.ts"
