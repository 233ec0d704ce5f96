import './style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App, preload } from './app.tsx'
import { watchSteps } from './history-steps.ts'
import { watchRestoring } from './never-restored.ts'

watchSteps()
watchRestoring()
preload(location.pathname)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </StrictMode>,
)
