/** Whether a text has the form of a UUID as the database writes it, in small letters; asked of it, any other is an error. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
