/**
 * The server of a command and the key for it. Disposing stops a server that was started for the
 * command.
 */
export interface ServerInUse extends AsyncDisposable {
  baseUrl: string
  apiKey: string
}
