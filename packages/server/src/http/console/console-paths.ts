/** Path of the console. It does not depend on the base path of the API. */
export const consolePath = '/console'
/** Below this path, a session takes the place of an API key. The rest of the path is that of the API. */
export const consoleApiPath = `${consolePath}/api`
export const sessionPath = `${consolePath}/session`
/** Below this path are files whose names contain a hash of their content. */
export const consoleFilesPath = `${consolePath}/files`
