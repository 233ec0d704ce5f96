/** The chart is readable on light and dark backgrounds. */

type Curve = { name: string; values: number[] }

const width = 760
const height = 420
const left = 56
const right = 170
const top = 52
const bottom = 44
const colors = ['#c2185b', '#5e35b1', '#00897b', '#ef6c00', '#1e88e5', '#6d4c41', '#7cb342']
const lineHeight = 17

/** @param given.goal the value of a dashed line */
export function renderSvgLineChart(given: {
  title: string
  labels: string[]
  curves: Curve[]
  goal: number
}): string {
  const { title, labels, curves, goal } = given
  const most = Math.max(goal * 1.2, ...curves.flatMap(({ values }) => values)) * 1.05
  const x = (index: number) => left + (index * (width - left - right)) / Math.max(1, labels.length - 1)
  const y = (value: number) => height - bottom - (value * (height - top - bottom)) / most
  const text = (at: [number, number], words: string, more = '') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${words}</text>`
  const line = (value: number, dashed: boolean) =>
    `<line x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}" stroke="#888" stroke-width="${dashed ? 1.5 : 0.5}"${dashed ? ' stroke-dasharray="6 4"' : ''}/>`
  const ticks = Array.from({ length: Math.floor(most / 0.5) + 1 }, (_, n) => n * 0.5)
  const ends = spaced(curves.map(({ values }) => y(values.at(-1) ?? 0)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#777">`,
    text([left, 26], title, 'font-size="16" font-weight="600"'),
    ...ticks.flatMap((tick) => [
      line(tick, false),
      text([left - 8, y(tick) + 4], tick.toFixed(1), 'text-anchor="end"'),
    ]),
    line(goal, true),
    ...labels.map((label, index) => text([x(index), height - bottom + 22], label, 'text-anchor="middle"')),
    ...curves.flatMap(({ name, values }, index) => {
      const color = colors[index % colors.length]
      const points = values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`)
      return [
        `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
        text(
          [width - right + 10, (ends[index] ?? 0) + 4],
          `${name} ${(values.at(-1) ?? 0).toFixed(2)}`,
          `fill="${color}"`,
        ),
      ]
    }),
    '</svg>\n',
  ].join('\n')
}

function spaced(places: number[]): number[] {
  const moved = [...places]
  const order = places.map((_, index) => index).toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
  for (const [rank, index] of order.entries()) {
    const above = order[rank - 1]
    if (above !== undefined) moved[index] = Math.max(moved[index] ?? 0, (moved[above] ?? 0) + lineHeight)
  }
  return moved
}
