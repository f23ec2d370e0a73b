import type { Compositor, Layer } from '../picture/compositor.ts'
import type { FrameGeometry } from '../picture/frame-geometry.ts'
import { smoothstep } from '../picture/curves.ts'
import { NoiseField } from '../picture/noise-field.ts'
import { createRandom, hashText, type Random } from '../picture/random.ts'
import type { RenderPlan } from '../render-plan.ts'
import { compose, type Composition } from './composition.ts'
import { readQuotedText } from './prompt/quoted-text.ts'
import { choosePalette } from './palettes/choose-palette.ts'
import type { Palette } from './palettes/palette.ts'
import type { SceneBrief } from './prompt/scene-brief.ts'

const framesPerSecond = 24
/** Time of the scene that a still shows, in seconds. */
export const stillSeconds = 3.2

/**
 * Width of layers as a multiple of the frame's width, so that pan and zoom never expose an edge.
 */
export const overscan = 1.16

export interface Moment {
  /** Time since the start of the video. */
  seconds: number
  /** 0 at the first frame, 1 at the last, and 0.5 for a still. */
  progress: number
}

/** Draws one part of a frame. A scene is a list of painters from far to near. */
export type Painter = (moment: Moment) => void

/**
 * State that all parts of a scene share, such as the compositor, the colors and the camera motion.
 * In the comments of scenes, a unit is the length `geometry.unit`.
 */
export class Stage {
  readonly compositor: Compositor
  readonly geometry: FrameGeometry
  readonly brief: SceneBrief
  readonly palette: Palette
  readonly composition: Composition
  readonly noise: NoiseField
  readonly sun: { x: number; y: number }
  readonly horizon: number
  readonly #frames: number
  readonly #wordsHash: number
  readonly #seed: number
  readonly #isFromImage: boolean

  /** `horizonRange` is the range of the horizon, as shares of the frame's height from the top. */
  constructor(plan: RenderPlan, brief: SceneBrief, compositor: Compositor, horizonRange: readonly [number, number]) {
    this.compositor = compositor
    this.geometry = compositor.geometry
    this.brief = brief
    this.#frames = plan.frames
    this.#isFromImage = plan.mode === 'first-frame' || plan.mode === 'first-and-last-frame'
    // The quoted text is excluded, so that the rest of the scene does not depend on it.
    const { rest } = readQuotedText(plan.prompt)
    this.#wordsHash = hashWords(rest)
    this.#seed = hashText(rest, plan.seed)
    this.palette = choosePalette(brief, hashText('palette', this.#wordsHash))
    this.noise = new NoiseField(compositor.kernels, compositor.arena, this.#seed)
    const randoms = { wordRandom: this.wordRandom('composition'), seedRandom: this.random('composition') }
    this.composition = compose(brief, horizonRange, randoms)
    const { width, height, unit } = this.geometry
    // A multiple of four rows, so that it is a whole row in half-size and quarter-size planes too.
    this.horizon = Math.round((height * this.composition.horizon) / 4) * 4
    const { x, lift } = this.composition.sun
    this.sun = { x: width * x, y: this.horizon - unit * this.palette.sunHeight * lift }
  }

  /** Returns the random sequence of a named part, which depends on prompt and seed. */
  random(part: string): Random {
    return createRandom(hashText(part, this.#seed))
  }

  /**
   * Returns a random sequence that depends only on the prompt's words and is the same for every
   * seed.
   */
  wordRandom(part: string): Random {
    return createRandom(hashText(part, this.#wordsHash))
  }

  /** Chooses one of the options by the prompt's words. */
  pick<Option>(part: string, options: readonly [Option, ...Option[]]): Option {
    return options[Math.floor(this.wordRandom(part)() * options.length)] ?? options[0]
  }

  /** Converts a length given at 1080 rows to frame pixels. */
  toPixels(lengthAt1080: number): number {
    return (lengthAt1080 * this.geometry.unit) / 1080
  }

  /** Whether the plan has a single frame. */
  get isStill(): boolean {
    return this.#frames <= 1
  }

  /** Length of the video in seconds. A still shows the middle of a video of this length. */
  get seconds(): number {
    return this.#frames <= 1 ? 2 * stillSeconds : this.#frames / framesPerSecond
  }

  moment(index: number): Moment {
    // A still shows the middle of a video. A still of a given image shows the image itself.
    if (this.#frames <= 1) return { seconds: stillSeconds, progress: this.#isFromImage ? 0 : 0.5 }
    return { seconds: index / framesPerSecond, progress: index / (this.#frames - 1) }
  }

  /** Returns moments that together show most of the video's content. */
  typicalMoments(): Moment[] {
    const last = Math.max(0, this.#frames - 1)
    return last === 0 ? [this.moment(0)] : [0.12, 0.5, 0.88].map((share) => this.moment(Math.round(share * last)))
  }

  /**
   * Returns the zoom factor of the slow push-in. `depth` is 0 for far objects and about 0.4 for
   * near ones, which grow more.
   */
  zoom(depth: number, { progress }: Moment): number {
    const eased = smoothstep(0, 1, progress) * 0.35 + progress * 0.65
    return 1 + (0.012 + depth * 0.42) * eased * 0.5
  }

  /**
   * Returns the sideways motion of the camera for this `depth`, in pixels. It is 0 at half of the
   * video's duration.
   */
  pan(depth: number, { progress }: Moment): number {
    return (progress - 0.5) * depth * 0.16 * Math.min(this.geometry.width, this.geometry.unit * 1.78)
  }

  /**
   * Returns the position at this moment of a point that is at `x`, `y` when the camera is at rest.
   */
  project(x: number, y: number, depth: number, moment: Moment): { x: number; y: number; zoom: number } {
    const zoom = this.zoom(depth, moment)
    const center = this.geometry.width / 2
    return {
      x: center + (x - center) * zoom - this.pan(depth, moment),
      y: this.horizon + (y - this.horizon) * zoom,
      zoom,
    }
  }

  /** Draws a layer. `x`, `y` is the position of its top left corner for the camera at rest. */
  drawAt(
    layer: Layer,
    {
      x,
      y,
      depth,
      scale = 1,
      ...rows
    }: { x: number; y: number; depth: number; scale?: number; opacity?: number; rowFirst?: number; rowEnd?: number },
    moment: Moment,
  ): void {
    const point = this.project(x, y, depth, moment)
    this.compositor.drawLayer(layer, { x: point.x, y: point.y, scale: point.zoom * scale, ...rows })
  }
}

/** Hashes the words of a prompt, ignoring case, punctuation and spaces. */
function hashWords(prompt: string): number {
  return hashText(
    prompt
      .toLowerCase()
      .split(/[^\p{Letter}\p{Number}]+/u)
      .join(' ')
      .trim(),
  )
}
