import { hex, mixRgb, scaleRgb, type Rgb } from '../../picture/color.ts'
import { paintMotes } from '../air/motes.ts'
import type { PlacedSubjects } from '../subjects/placed-subjects.ts'
import { paintStars } from '../sky/sky.ts'
import { dust, paintAirlessGround, paintDustSky } from '../space/airless.ts'
import { paintGalaxy } from '../space/galaxy.ts'
import { paintNebula } from '../space/nebula.ts'
import { paintOrbit } from '../space/orbit.ts'
import { paintPlanet } from '../space/planet.ts'
import type { Painter, Stage } from '../stage.ts'

type View = 'orbit' | 'galaxy' | 'gas giant' | 'moonscape' | 'mars'

interface Scheme {
  darkColor: string
  cloud: string
  hotColor: string
  core: string
  planet: readonly string[]
}

const schemes: readonly [Scheme, ...Scheme[]] = [
  { darkColor: '#05060f', cloud: '#3a2a86', hotColor: '#e0568a', core: '#ffd9b0', planet: ['#f0c890', '#b86a4a', '#6a3448'] },
  { darkColor: '#03080f', cloud: '#0f5a7a', hotColor: '#3ac0b0', core: '#e8fff0', planet: ['#a8d8e8', '#4a7ab0', '#28406e'] },
  { darkColor: '#0a0510', cloud: '#6a2a5a', hotColor: '#f08048', core: '#fff0c0', planet: ['#d8b8e8', '#8a5ab0', '#43306e'] },
  { darkColor: '#04070d', cloud: '#22407a', hotColor: '#7a8af0', core: '#f4f0ff', planet: ['#e8dcc8', '#a88a6a', '#5a4a4a'] },
  { darkColor: '#060a08', cloud: '#2a5a3a', hotColor: '#b8c04c', core: '#fff8d0', planet: ['#e8c8a0', '#c07a5a', '#5a2c2c'] },
  { darkColor: '#0a0408', cloud: '#701f2c', hotColor: '#ff6a4c', core: '#ffe4c0', planet: ['#c8d4e0', '#7088a0', '#38485c'] },
]

/**
 * Paints a planet from its orbit, a galaxy, a giant planet with rings, or the ground of Mars or of
 * a moon, as the prompt's words choose.
 */
export function paintSpace(stage: Stage, subjects: PlacedSubjects): (Painter | undefined)[] {
  const { geometry, brief } = stage
  const { height } = geometry
  const scheme = stage.pick('nebula colours', schemes)
  const accent = brief.colors[0]
  const cloud = accent ? mixRgb(hex(scheme.cloud), accent, 0.7) : hex(scheme.cloud)
  const hotColor = brief.colors[1] ?? (accent ? mixRgb(accent, [255, 255, 255], 0.25) : hex(scheme.hotColor))
  const planet = scheme.planet.map((color) => (accent ? mixRgb(hex(color), accent, 0.45) : hex(color)))
  const gas = { darkColor: hex(scheme.darkColor), cloud, hotColor, core: hex(scheme.core) }
  const stars = paintStars(stage, height, true)
  const view = viewOf(stage)
  const motes = paintMotes(stage, { count: 30, light: scaleRgb(hotColor, 0.2), top: 0, size: 0.7 })
  switch (view) {
    case 'orbit':
      return [
        paintNebula(stage, thinGas(gas, 0.3)),
        stars,
        subjects.sky,
        ...paintOrbit(stage),
        subjects.floating,
        subjects.ground,
      ]
    case 'galaxy':
      return [
        paintNebula(stage, thinGas(gas, 0.42)),
        stars,
        paintGalaxy(stage, gas),
        subjects.sky,
        subjects.floating,
        subjects.ground,
        motes,
      ]
    case 'gas giant':
      return [
        paintNebula(stage, thinGas(gas, 0.7)),
        stars,
        paintPlanet(stage, planet, { size: 2.1, isRinged: true }),
        subjects.sky,
        subjects.floating,
        subjects.ground,
        motes,
      ]
    case 'mars':
      return [
        paintDustSky(stage),
        subjects.sky,
        ...paintAirlessGround(stage, { soil: hex('#c06a3e'), air: dust, haze: 0.85, craterCount: 7 }, subjects),
        motes,
      ]
    case 'moonscape':
      return [
        paintNebula(stage, thinGas(gas, 0.5)),
        stars,
        paintPlanet(stage, planet),
        subjects.sky,
        ...paintAirlessGround(
          stage,
          { soil: moonSoil(stage, planet), air: mixRgb(gas.darkColor, cloud, 0.5), haze: 0.5, craterCount: 16 },
          subjects,
        ),
        motes,
      ]
    default:
      return view satisfies never
  }
}

function viewOf(stage: Stage): View {
  const { settings } = stage.brief
  for (const view of ['orbit', 'galaxy', 'gas giant', 'moonscape', 'mars'] as const) if (settings.has(view)) return view
  return stage.pick('space', ['moonscape', 'galaxy', 'gas giant', 'orbit', 'moonscape'])
}

/** Colors of a nebula. */
interface Gas {
  darkColor: Rgb
  cloud: Rgb
  hotColor: Rgb
  core: Rgb
}

/** Returns the colors of a gas with this share of their strength, for a background. */
function thinGas({ darkColor, cloud, hotColor, core }: Gas, share: number): Gas {
  return {
    darkColor,
    cloud: mixRgb(darkColor, cloud, share),
    hotColor: mixRgb(darkColor, hotColor, share * 0.8),
    core: mixRgb(darkColor, core, share * 0.8),
  }
}

function moonSoil(stage: Stage, planet: readonly Rgb[]): Rgb {
  const grey = hex(stage.pick('soil', ['#a8a4a0', '#8c8c98', '#b0a08c', '#7c8494']))
  return mixRgb(grey, planet[1] ?? grey, 0.2)
}
