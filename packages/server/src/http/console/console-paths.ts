/** Path of the console. It does not depend on the base path of the API. */
export const consolePath = '/console'
/** Prefix of API paths that authenticate with a session instead of an API key. */
export const consoleApiPath = `${consolePath}/api`
export const sessionPath = `${consolePath}/session`
/** Prefix of the console's files, whose names contain a hash of their content. */
export const consoleFilesPath = `${consolePath}/files`
