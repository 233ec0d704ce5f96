/** How long the first page has the connection to itself before what only later presses and pages need is loaded (ms). */
export const pageIdleDelayMs = 5000
