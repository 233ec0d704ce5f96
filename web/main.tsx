import './style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App, preload } from './app.tsx'
import { watchSteps } from './history-steps.ts'
import { watchRestoring } from './never-restored.ts'

watchSteps()
watchRestoring()
const ready = preload(location.pathname)

/** Milliseconds that the sign in the page itself stands alone; from then on React says what is awaited. */
const patience = 500

function render() {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  createRoot(root).render(
    <StrictMode>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </StrictMode>,
  )
}

// Rendered once with all that it shows, instead of three times: and a fallback that React has shown, it keeps for 300 ms.
// No `await`: the code behind imports what this module is packed with, and would wait for it in turn.
void Promise.race([ready, new Promise((resolve) => setTimeout(resolve, patience))]).then(render)
