/** How long the three presses may take together (ms). */
const withinMs = 5000

/**
 * Calls back when Shift was pressed and released three times with no other key, click or touch between: somebody who writes capitals
 * presses a letter each time. @returns stops listening
 */
export function onTripleShift(callback: () => void): () => void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  let presses: number[] = []
  let isShiftAlone = false

  const forget = () => {
    isShiftAlone = false
    presses = []
  }
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'Shift') isShiftAlone = true
    else forget()
  }
  const release = ({ key, timeStamp }: KeyboardEvent) => {
    if (key !== 'Shift' || !isShiftAlone) return
    isShiftAlone = false
    presses = [...presses.filter((at) => timeStamp - at < withinMs), timeStamp]
    if (presses.length < 3) return
    forget()
    callback()
  }
  addEventListener('keydown', press, options)
  addEventListener('keyup', release, options)
  addEventListener('pointerdown', forget, options)
  return () => listening.abort()
}
