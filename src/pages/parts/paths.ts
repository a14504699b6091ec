/** The path of the page where a meeting's published clip is watched. */
export const clipPath = (meetingPath: string, clipId: string): string => `${meetingPath}/clips/${clipId}`

/** The id in the last segment of a meeting's address, `{date}-{id}`; anything else names nothing. */
export const meetingIn = (segment = ""): string => /^\d{4}-\d{2}-\d{2}-([0-9a-f]{8,})$/.exec(segment)?.[1] ?? segment

/** The page that signs in, from where one comes back to this path. */
export const signInAt = (path: string): string => `/signin?return_to=${encodeURIComponent(path)}`
