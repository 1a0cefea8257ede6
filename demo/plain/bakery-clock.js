/** <bakery-clock zone="Europe/Paris" format="24">: the time there, to the minute. */
class BakeryClock extends HTMLElement {
  static observedAttributes = ['zone', 'format'];

  #timer = 0;

  connectedCallback() {
    this.#show();
    this.#timer = setInterval(() => this.#show(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#show();
  }

  #show() {
    const options = {
      hour: '2-digit',
      minute: '2-digit',
      hour12: this.getAttribute('format') === '12',
      timeZone: this.getAttribute('zone') ?? 'UTC',
    };
    let text;
    try {
      text = new Intl.DateTimeFormat('en-GB', options).format(new Date());
    } catch {
      text = `no such zone: ${options.timeZone}`;
    }
    if (this.textContent !== text) this.textContent = text;
  }
}

customElements.define('bakery-clock', BakeryClock);
