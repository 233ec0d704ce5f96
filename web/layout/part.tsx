import { Component, type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { ErrorState } from '#web/ui/error-state.tsx'

/** The code of a screen did not come: the connection's fault, or a deploy's, and no fault of the page. */
class PartMissing extends Error {}

/**
 * A screen whose code comes when it is first shown. React keeps the failure of a lazy component for good, so after one the
 * code is asked for anew: by hand, or when the connection is back.
 */
export const part = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType => {
  const ask = () =>
    lazy(async () => {
      const module = await load().catch((cause: unknown) => {
        throw new PartMissing('This page could not be loaded', { cause })
      })
      return { default: module[name] as ComponentType }
    })
  const kept = { screen: ask() }
  return () => <Arrival kept={kept} ask={ask} />
}

type Screen = LazyExoticComponent<ComponentType>
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
