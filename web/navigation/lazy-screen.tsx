import { Component, type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { en } from '#contract/language.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { getCommunityName } from './community-identity.ts'

/** Thrown if the connection failed, or a deployment replaced the code. */
class ScreenCodeMissing extends Error {
  isOutdated = false
}

/** A newer version of the page names other scripts. False if the server does not answer. */
const isPageOutdated = async (): Promise<boolean> => {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('head script[type=module]')]
  const answer = await fetch('/', { cache: 'no-store' })
  const page = await answer.text()
  return answer.ok && scripts.some((script) => !page.includes(script.getAttribute('src') ?? ''))
}

/**
 * Calling `load` early avoids React's 300 ms fallback. React caches a failure forever, so a button or reconnection
 * requests the code again.
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
  load: () => Promise<void>
}

type Screen = ComponentType | LazyExoticComponent<ComponentType>
/** All visits share the cache, so loaded code renders immediately. */
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

  /** The second press reloads the page, because a deployment may have removed the old code. */
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
    const community = getCommunityName()
    return (
      <div className="card mx-auto max-w-[1080px]">
        {failure.error.isOutdated ? (
          <ErrorState
            text={en(`${community} has a new version.`, `${community} tiene una versión nueva.`)}
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
