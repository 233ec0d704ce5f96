import { Component, type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { en } from '#contract/language.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Caused by the connection or a deploy. */
class ScreenCodeMissing extends Error {
  isOutdated = false
}

/** Whether the server has a newer version: its page names other scripts. False without an answer. */
const isPageOutdated = async (): Promise<boolean> => {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('head script[type=module]')]
  const answer = await fetch('/', { cache: 'no-store' })
  const page = await answer.text()
  return answer.ok && scripts.some((script) => !page.includes(script.getAttribute('src') ?? ''))
}

/**
 * Makes a screen that loads on first render, or earlier by `load`, which avoids React's 300 ms fallback.
 * React caches failures forever, so the code is requested again by button or once online.
 */
export const lazyScreen = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LazyScreenComponent => {
  const makeLazy = () =>
    lazy(async () => {
      const module = await load().catch(async (cause: unknown) => {
        const missing = new ScreenCodeMissing(
          en('This page could not be loaded', 'No pudimos cargar esta página'),
          { cause },
        )
        missing.isOutdated = await isPageOutdated().catch(() => false)
        throw missing
      })
      return { default: module[name] as ComponentType }
    })
  const cache: Props['cache'] = { screen: makeLazy() }
  const loadAhead = async () => {
    cache.screen = (await load())[name]
  }
  return Object.assign(() => <LazyScreenLoader cache={cache} makeLazy={makeLazy} />, { load: loadAhead })
}

export type LazyScreenComponent = ComponentType & {
  /** Rejects if the code cannot be loaded; the screen shows that itself. */
  load: () => Promise<void>
}

type Screen = ComponentType | LazyExoticComponent<ComponentType>
/** Shared between visits: loaded code renders at once. */
type Props = { cache: { screen: Screen }; makeLazy: () => Screen }
type LoaderState = { screen: Screen; failure?: { error: unknown } }

class LazyScreenLoader extends Component<Props, LoaderState> {
  override state: LoaderState = { screen: this.props.cache.screen }

  static getDerivedStateFromError(error: unknown): Partial<LoaderState> {
    return { failure: { error } }
  }

  override componentDidMount() {
    window.addEventListener('online', this.retry)
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.retry)
  }

  retry = () => {
    const { cache, makeLazy } = this.props
    if (!this.state.failure) return
    cache.screen = makeLazy()
    this.setState({ screen: cache.screen, failure: undefined })
  }

  /** The second press reloads the page: after a deploy the old code no longer exists. */
  press = () => {
    if (this.hasPressed) location.reload()
    this.hasPressed = true
    this.retry()
  }
  hasPressed = false

  override render() {
    const { screen: Screen, failure } = this.state
    if (!failure) return <Screen />
    if (!(failure.error instanceof ScreenCodeMissing)) throw failure.error
    return (
      <div className="card mx-auto max-w-[1080px]">
        {failure.error.isOutdated ? (
          <ErrorState
            text={en('Juntas has a new version.', 'Juntas tiene una versión nueva.')}
            action={en('Reload', 'Recargar')}
            onRetry={() => location.reload()}
          />
        ) : (
          <ErrorState onRetry={this.press} />
        )}
      </div>
    )
  }
}
