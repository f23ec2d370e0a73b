import { css, hex, lightYuv, mixRgb, scaleRgb } from '../../picture/color.ts'
import { overscan, type Painter, type Stage } from '../stage.ts'

const clothes = ['#e8e4dc', '#c8452e', '#2f62a8', '#e2b23a', '#4c8a56', '#1f2430', '#8a5a9a', '#d87a4a'].map(hex)

/** Paints two tiers of people, and the flashes of their cameras. */
export function paintCrowd(stage: Stage, isHall: boolean): Painter {
  const { compositor, geometry, horizon, brief, palette } = stage
  const { width, height, unit } = geometry
  const random = stage.random('crowd')
  const standHeight = unit * (isHall ? 0.52 : 0.3)
  const top = horizon - standHeight * 0.94
  const layerWidth = Math.ceil((width * overscan) / 16) * 16
  const light = isHall ? 0.42 : { day: 0.9, dawn: 0.7, dusk: 0.5, night: 0.4 }[brief.time]
  const layer = compositor.layer(layerWidth, standHeight, (context, _width, layerHeight) => {
    const wall = scaleRgb(mixRgb(hex('#3c4250'), palette.haze, isHall ? 0 : 0.14), light)
    const gradient = context.createLinearGradient(0, 0, 0, layerHeight)
    gradient.addColorStop(0, css(scaleRgb(wall, isHall ? 0.3 : 0.8)))
    gradient.addColorStop(1, css(wall))
    context.fillStyle = gradient
    context.fillRect(0, 0, layerWidth, layerHeight)
    const rows = isHall ? 20 : 13
    for (let row = 0; row < rows; row++) {
      const nearness = row / rows
      const size = unit * (0.0065 + 0.0075 * nearness)
      const y = layerHeight * (0.16 + 0.7 * nearness)
      // The aisle between the tiers is empty.
      if (Math.abs(nearness - 0.5) < 0.04) continue
      for (let x = random() * size; x < layerWidth; x += size * (1.25 + 0.3 * random())) {
        if (random() < 0.1) continue
        const tone = clothes[Math.floor(random() * clothes.length)] ?? wall
        context.fillStyle = css(scaleRgb(mixRgb(tone, wall, 0.3), light * (0.6 + 0.5 * nearness)))
        context.fillRect(x, y, size * 0.86, size * 1.2)
        context.fillStyle = css(scaleRgb(hex('#d8a888'), light * (0.55 + 0.4 * nearness)))
        context.fillRect(x + size * 0.22, y - size * 0.46, size * 0.44, size * 0.5)
      }
    }
    const boardsTop = layerHeight * 0.93
    for (let x = 0, board = 0; x < layerWidth; x += unit * 0.26, board++) {
      context.fillStyle = css(scaleRgb(clothes[(board * 3 + 1) % clothes.length] ?? wall, light * 0.9))
      context.fillRect(x, boardsTop, unit * 0.255, layerHeight - boardsTop)
    }
    if (!isHall) {
      context.fillStyle = css(scaleRgb(wall, 0.5))
      context.fillRect(0, 0, layerWidth, layerHeight * 0.07)
    }
  })
  const flashes = Array.from({ length: 26 }, () => ({
    x: random(),
    y: random(),
    startSeconds: random() * 3,
    periodSeconds: 1.6 + random() * 2,
  }))
  const [y] = lightYuv([255, 255, 255])
  return (moment) => {
    stage.drawAt(layer, { x: (width - layerWidth) / 2, y: top, depth: 0.04, rowEnd: Math.min(height, horizon + 4) }, moment)
    for (const flash of flashes) {
      const secondsSince = (moment.seconds + flash.startSeconds) % flash.periodSeconds
      if (secondsSince > 0.16) continue
      const point = stage.project(flash.x * width, top + standHeight * (0.2 + 0.6 * flash.y), 0.04, moment)
      compositor.addSpot(point.x, point.y, stage.toPixels(16), [y * (1 - secondsSince / 0.16) * 0.9, 0, 0])
    }
  }
}
