/** The server that a command talks to, and the key it uses there. Disposing stops a server that was started for it. */
export interface ServerInUse extends AsyncDisposable {
  baseUrl: string
  apiKey: string
}
