import { Component } from 'react';

interface SwatchProps {
  color: string;
}

export class Swatch extends Component<SwatchProps> {
  render() {
    return <span className="swatch" style={{ backgroundColor: this.props.color }} aria-hidden="true" />;
  }
}
