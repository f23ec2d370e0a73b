import type { Rig } from './rig.ts'

/** A gateway to measure, and the requests that it gets. */
export interface Side {
  name: string
  /** What a successful response to a submit means. */
  acknowledges: string
  /** Rows in which this side is measured. Default: all. */
  rows?: readonly string[]
  video: Submit
  image: Submit
  pollPath(id: string): string
  /** Prepares an installation without tasks, on which processes are started one after the other. */
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
  /** Ends what the installation starts. */
  trial: AsyncDisposableStack
  upstreamPort: number
  /** Whether jobs end within seconds, and are polled as often. Otherwise they never end. */
  jobsEnd: boolean
}

export interface Installation {
  start(): Promise<Gateway>
}

/** A gateway that runs. */
export interface Gateway extends AsyncDisposable {
  port: number
  /** Bearer token of its clients. */
  key: string
  /** Header lines of each request, in addition to the token and the content. */
  headers?: readonly string[]
  /** Process whose tree is the gateway. */
  pid: number
  /** Process whose tree is its database. */
  databasePid?: number | undefined
  /** Collects garbage, in processes that can be asked to. */
  collectGarbage(): Promise<void>
  /** Number of completed tasks since the start. Undefined where the response to a submit contains the result. */
  completed?(): Promise<number>
  /** Ends the process of the gateway with SIGKILL. The database goes on. */
  kill(): Promise<void>
}
