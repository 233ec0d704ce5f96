import { Component, type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { ErrorState } from '#web/ui/error-state.tsx'

/** The code of a screen did not come: the connection's fault, or a deploy's, and no fault of the page. */
class PartMissing extends Error {}

/**
 * A screen whose code comes when it is first shown, or ahead of it by `load`: then it is there at once, and without one of
 * React's fallbacks, which it keeps on the screen for 300 ms. React keeps the failure of a lazy component for good, so after
 * one the code is asked for anew: by hand, or when the connection is back.
 */
export const part = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): Part => {
  const ask = () =>
    lazy(async () => {
      const module = await load().catch((cause: unknown) => {
        throw new PartMissing('This page could not be loaded', { cause })
      })
      return { default: module[name] as ComponentType }
    })
  const kept: Props['kept'] = { screen: ask() }
  const loadAhead = async () => {
    kept.screen = (await load())[name]
  }
  return Object.assign(() => <Arrival kept={kept} ask={ask} />, { load: loadAhead })
}

export type Part = ComponentType & {
  /** Rejects where the code does not come; the screen says so itself. */
  load: () => Promise<void>
}

type Screen = ComponentType | LazyExoticComponent<ComponentType>
/** Kept between visits: code that has come once is there at once. */
type Props = { kept: { screen: Screen }; ask: () => Screen }
type State = { screen: Screen; failure?: { error: unknown } }

class Arrival extends Component<Props, State> {
  override state: State = { screen: this.props.kept.screen }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } }
  }

  override componentDidMount() {
    window.addEventListener('online', this.askAgain)
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.askAgain)
  }

  askAgain = () => {
    const { kept, ask } = this.props
    if (!this.state.failure) return
    kept.screen = ask()
    this.setState({ screen: kept.screen, failure: undefined })
  }

  override render() {
    const { screen: Screen, failure } = this.state
    if (!failure) return <Screen />
    if (!(failure.error instanceof PartMissing)) throw failure.error
    return (
      <div className="card mx-auto max-w-[1080px]">
        <ErrorState text="We couldn’t load this." onRetry={this.askAgain} />
      </div>
    )
  }
}
