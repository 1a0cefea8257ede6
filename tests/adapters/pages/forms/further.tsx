// A class that is derived from one of another module.
import { Meter } from './parts';

export class Further extends Meter {
	reading() {
		return super.reading() + 1;
	}
	render() {
		return <u data-part="further">{this.reading()} {super.render()}</u>;
	}
}
