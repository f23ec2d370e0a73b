import type { Rig } from './rig.ts'

/** A gateway to measure, and the requests that it gets. */
export interface Side {
  name: string
  /** Meaning of a successful response to a submit. */
  meaningOfResponse: string
  /** Rows in which this side is measured. Default: all. */
  rows?: readonly string[]
  video: Submit
  image: Submit
  pollPath(id: string): string
  /** Prepares an installation without tasks. Processes are started on it one after the other. */
  install(plan: InstallPlan): Promise<Installation>
}

/** A submit without its prompt. */
export interface Submit {
  path: string
  fields: object
  /** Default: `prompt`. */
  promptField?: string
}

export interface InstallPlan {
  rig: Rig
  /** Stops everything that the installation starts. */
  trial: AsyncDisposableStack
  upstreamPort: number
  /**
   * Whether jobs end within seconds, so that the gateway must poll often. Otherwise they never end.
   */
  jobsEnd: boolean
}

export interface Installation {
  start(): Promise<Gateway>
}

/** A running gateway. */
export interface Gateway extends AsyncDisposable {
  port: number
  /** Bearer token of its clients. */
  key: string
  /** Header lines of each request, in addition to the token and the content. */
  headers?: readonly string[]
  /** Root of the gateway's process tree. */
  pid: number
  /** Root of the database's process tree. */
  databasePid?: number | undefined
  /** Starts a garbage collection, if the process supports this. */
  collectGarbage(): Promise<void>
  /**
   * Returns the number of completed tasks since the start. Undefined if the response to a submit
   * contains the result.
   */
  completed?(): Promise<number>
  /** Ends the process of the gateway with SIGKILL. The database continues to run. */
  kill(): Promise<void>
}
