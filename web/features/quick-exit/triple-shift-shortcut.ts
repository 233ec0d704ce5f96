/** Milliseconds for all three presses. */
const withinMs = 5000

/**
 * Other input between the presses starts over, so typing capital letters does not count.
 * @returns a function that stops listening
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
