const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']

/**
 * The environment of a child process: only the variables that it needs, so that it does not receive
 * the service's secrets.
 */
export function childEnvironment(): Record<string, string> {
  const values = passedOn.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(values.filter((pair): pair is [string, string] => pair[1] !== undefined))
}
