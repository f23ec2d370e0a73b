const passedNames = ['PATH', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']

/**
 * Returns the environment of a child process: only the variables that it needs, without the
 * service's secrets.
 */
export function childEnvironment(): Record<string, string> {
  const values = passedNames.map((name) => [name, process.env[name]] as const)
  return Object.fromEntries(values.filter((pair): pair is [string, string] => pair[1] !== undefined))
}
