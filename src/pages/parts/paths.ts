/** Where one published clip of a meeting is watched. */
export const clipPath = (meetingPath: string, clipId: string): string => `${meetingPath}/clips/${clipId}`
