// Runs before the first script of a page or a worker. What it uses of the language is taken now:
// later a page can have changed it.
(() => {
    const { construct } = Reflect;
    for (const name of ['WebSocket', 'WebSocketStream']) {
        const native = self[name];
        if (!native) continue;
        const refused = new Proxy(native, {
            construct: (_native, _given, made) =>
                construct(native, ['wss://websockets.invalid/'], made),
        });
        const property = { value: refused, writable: true, enumerable: false, configurable: true };
        Object.defineProperty(native.prototype, 'constructor', property);
        Object.defineProperty(self, name, property);
    }
})();
