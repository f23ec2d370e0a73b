/**
 * The server that a command uses, with its key. If the server was started for the command,
 * disposing stops it.
 */
export interface ServerInUse extends AsyncDisposable {
  baseUrl: string
  apiKey: string
}
