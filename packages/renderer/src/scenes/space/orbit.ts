import { hex, lightYuv, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { clamp, smoothstep } from '../../picture/curves.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'

interface World {
  sea: Rgb
  land: Rgb
  highColor: Rgb
  atmosphere: Rgb
}

const worlds: readonly [World, ...World[]] = [
  { sea: hex('#0c3a74'), land: hex('#4c6a38'), highColor: hex('#a08a5c'), atmosphere: hex('#5cb0ff') },
  { sea: hex('#0a4a6c'), land: hex('#7a7444'), highColor: hex('#c0a470'), atmosphere: hex('#6cc4ff') },
  { sea: hex('#123050'), land: hex('#3c5a3c'), highColor: hex('#8c8468'), atmosphere: hex('#4c9cf4') },
]

/**
 * Paints the view from orbit: the curve of a planet with seas and land below, its atmosphere as a
 * thin line of light, and the sun rising over it.
 */
export function paintOrbit(stage: Stage): Painter[] {
  const { compositor, geometry, noise, sun, brief } = stage
  const { width, height, unit } = geometry
  const wordRandom = stage.wordRandom('orbit')
  const accent = brief.colors[0]
  const chosenWorld = stage.pick('world', worlds)
  const world: World = accent
    ? { ...chosenWorld, sea: mixRgb(chosenWorld.sea, accent, 0.6), atmosphere: mixRgb(chosenWorld.atmosphere, accent, 0.4) }
    : chosenWorld
  const radius = unit * (1.25 + 1.1 * wordRandom())
  const crest = height * (0.44 + 0.16 * wordRandom())
  const lean = (sun.x < width / 2 ? -1 : 1) * unit * (0.1 + 0.3 * wordRandom())
  const center = { x: width / 2 - lean, y: crest + radius }
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const scale = Math.max(1, unit / 420)
  const [columns, rows] = [Math.ceil(layerWidth / scale / 2) * 2, Math.ceil((height * 1.08 - crest + unit * 0.1) / scale / 2) * 2]
  const [left, top] = [(width - layerWidth) / 2, crest - unit * 0.1]
  // The atmosphere is brightest where the sun rises.
  const dawn = { x: (sun.x - center.x) / radius, y: -Math.sqrt(Math.max(0, 1 - ((sun.x - center.x) / radius) ** 2)) }
  const light = { x: dawn.x * 0.94, y: dawn.y * 0.94, z: 0.34 + 0.3 * wordRandom() }
  const pointAt = (index: number): { x: number; y: number; z: number; distance: number } => {
    const x = (left + (index % columns) * scale - center.x) / radius
    const y = (top + Math.floor(index / columns) * scale - center.y) / radius
    const distance = Math.hypot(x, y)
    return { x, y, z: Math.sqrt(Math.max(0, 1 - distance * distance)), distance }
  }
  const shift = stage.random('world')() * 60
  const sampleSurface = (scaleUp: number, octaves: number, offset: number): Float32Array =>
    noise.sample({ shape: 'soft', octaves, gain: 0.56 }, columns * rows, (index, point) => {
      const { x, y, z } = pointAt(index)
      // The noise is sampled in larger steps toward the limb, so that shapes are foreshortened there.
      const stretch = 1 / (0.35 + z)
      point.x = x * scaleUp * (0.6 + 0.4 * stretch) + shift + offset
      point.y = y * scaleUp * stretch + offset
    })
  const [lands, clouds, cities] = [sampleSurface(4.2, 6, 0), sampleSurface(6.4, 6, 40), sampleSurface(46, 3, 80)]
  const rgba = new Uint8Array(columns * rows * 4)
  for (let index = 0; index < columns * rows; index++) {
    const { x, y, z, distance } = pointAt(index)
    const outside = (distance - 1) * radius
    const day = clamp((x * light.x + y * light.y + z * light.z) * 1.5 + 0.12)
    const dawnShare = clamp(0.24 + (x * dawn.x + y * dawn.y) * 0.9)
    if (outside > 0) {
      const glow = (Math.exp((-outside / unit) * 60) * 0.85 + Math.exp((-outside / unit) * 17) * 0.24) * dawnShare
      if (glow < 0.004) continue
      for (let channel = 0; channel < 3; channel++)
        rgba[index * 4 + channel] = (mixRgb(world.atmosphere, [255, 255, 255], 0.35 * dawnShare)[channel] ?? 0) * glow
      rgba[index * 4 + 3] = 255 * glow
      continue
    }
    const land = lands[index] ?? 0
    const ground =
      land > 0.05
        ? mixRgb(world.land, world.highColor, clamp((land - 0.05) * 4))
        : mixRgb(world.sea, scaleRgb(world.sea, 1.5), clamp((land + 0.2) * 2))
    const cloud = smoothstep(0.02, 0.34, clouds[index] ?? 0) * 0.92
    const surface = scaleRgb(mixRgb(ground, [248, 250, 255], cloud), 0.02 + day)
    const lamps = land > 0.05 ? smoothstep(0.2, 0.42, cities[index] ?? 0) * (1 - clamp(day * 5)) * (1 - cloud) : 0
    const litColor: Rgb = [surface[0] + 255 * lamps * 0.8, surface[1] + 200 * lamps * 0.8, surface[2] + 110 * lamps * 0.8]
    const rim = (1 - z) ** 3.2 * (0.25 + 0.75 * dawnShare) + Math.exp((outside / unit) * 26) * 0.4 * dawnShare
    const shownColor = mixRgb(
      litColor,
      mixRgb(world.atmosphere, [255, 255, 255], 0.3 * dawnShare),
      clamp(rim * (0.15 + day * 1.1)),
    )
    for (let channel = 0; channel < 3; channel++) rgba[index * 4 + channel] = Math.min(250, shownColor[channel] ?? 0)
    rgba[index * 4 + 3] = 255
  }
  const layer = compositor.layerFromPixels(columns, rows, rgba)
  const [white, blue] = [lightYuv([255, 246, 226]), lightYuv(scaleRgb(world.atmosphere, 0.7))]
  const sunrise = { x: sun.x, y: center.y + dawn.y * radius }
  return [
    (moment) => stage.drawAt(layer, { x: left, y: top, depth: 0.07, scale, rowEnd: height }, moment),
    (moment) => {
      const { x, y } = stage.project(sunrise.x, sunrise.y, 0.07, moment)
      const breath = 0.9 + 0.1 * Math.sin(moment.seconds * 0.9)
      for (const [size, strength, tone] of [
        [0.3, 0.22, blue],
        [0.11, 0.5, white],
        [0.026, 1, white],
      ] as const)
        compositor.addSpot(x, y, unit * size, [
          tone[0] * strength * breath,
          tone[1] * strength * breath,
          tone[2] * strength * breath,
        ])
      for (let ray = -14; ray <= 14; ray++) {
        const strength = 0.22 * (1 - Math.abs(ray) / 15) ** 2 * breath
        compositor.addSpot(x + ray * unit * 0.024, y, unit * 0.012, [
          white[0] * strength,
          white[1] * strength,
          white[2] * strength,
        ])
      }
    },
  ]
}
