import type { GenerationRequest } from '../drivers/driver.ts'

/**
 * The request of an attempt. Files in it may take megabytes, so they are kept only until the
 * upstream has accepted the job.
 */
export class AttemptInput implements Disposable {
  #request: GenerationRequest
  readonly #requestWithoutFiles: GenerationRequest
  #memory: Disposable | null

  /**
   * `requestWithoutFiles` has data URIs without their contents. `memory` is the memory of the files
   * that the request contains.
   */
  constructor(request: GenerationRequest, requestWithoutFiles: GenerationRequest = request, memory: Disposable | null = null) {
    this.#request = request
    this.#requestWithoutFiles = requestWithoutFiles
    this.#memory = memory
  }

  get request(): GenerationRequest {
    return this.#request
  }

  releaseFiles(): void {
    this.#request = this.#requestWithoutFiles
    this.#memory?.[Symbol.dispose]()
    this.#memory = null
  }

  [Symbol.dispose](): void {
    this.releaseFiles()
  }
}
