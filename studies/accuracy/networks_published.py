"""Networks that published measurements were taken with, written anew from their architecture.

Built by name through ``networks_published.py:function``, as a user's own file would be.  Facts of
``lenet5`` to ``resnet50_preact``: ddps-lab/profet (MIT licence), data_generation/workload/model_info.py.
VGG16 and InceptionV3 of that study are those of ``keras.applications``.  ``alexnet_one_tower``:
Krizhevsky 2014, arXiv:1404.5997, as tensorflow/benchmarks (Apache-2.0) trains it.

All of these ran on TensorFlow 1.15 to 2.5, where batch normalisation is one kernel; Keras 3 makes a dozen
element-wise operations of it.  So that the program that is predicted is the one that was measured, it is
one kernel here too (`_normalisation`).
"""

from __future__ import annotations

_LOSS = "sparse_categorical_crossentropy"


def _normalisation():
    """A batch normalisation layer that is TensorFlow's fused kernel, as in Keras 2."""
    import keras
    import tensorflow as tf

    class FusedBatchNormalization(keras.layers.BatchNormalization):
        def call(self, inputs, training=None, mask=None):
            if len(inputs.shape) != 4:  # the kernel takes images only, in Keras 2 too
                return super().call(inputs, training=training, mask=mask)
            size = inputs.shape[-1:]
            gamma = tf.cast(self.gamma, "float32") if self.scale else tf.ones(size)
            beta = tf.cast(self.beta, "float32") if self.center else tf.zeros(size)
            result, mean, variance = tf.compat.v1.nn.fused_batch_norm(
                inputs, gamma, beta, epsilon=self.epsilon, is_training=True
            )
            for average, now in ((self.moving_mean, mean), (self.moving_variance, variance)):
                kept = tf.cast(average, "float32") * self.momentum
                average.assign(tf.cast(kept + now * (1 - self.momentum), average.dtype))
            return result

    return FusedBatchNormalization


def _application(name, input_shape, classes, **changes):
    """A network of ``keras.applications`` with fused batch normalisation, and other settings of its convolutions."""
    import keras

    fused = _normalisation()

    def changed(layer):
        kind = fused if isinstance(layer, keras.layers.BatchNormalization) else type(layer)
        config = layer.get_config()
        return kind.from_config(config | changes if isinstance(layer, keras.layers.Conv2D) else config)

    made = getattr(keras.applications, name)(weights=None, input_shape=input_shape, classes=classes)
    return keras.models.clone_model(made, clone_function=changed), _LOSS


def inception_v3(input_shape, classes):
    """InceptionV3 (Szegedy et al. 2016) of ``keras.applications``."""
    return _application("InceptionV3", input_shape, classes)


def resnet50(input_shape, classes):
    """ResNet50 (He et al. 2016) of ``keras.applications``, without the biases that tensorflow/benchmarks leaves out.

    There a convolution has none where its result is normalised (tf_cnn_benchmarks/convnet_builder.py, ``conv``).
    """
    return _application("ResNet50", input_shape, classes, use_bias=False)


def lenet5(input_shape, classes):
    """Two 5x5 convolutions of 6 and 16 filters with pooling, dense 120 and 84."""
    import keras
    from keras import layers

    model = keras.Sequential([keras.Input(input_shape)])
    for filters in (6, 16):
        model.add(layers.Conv2D(filters, 5, activation="relu"))
        model.add(layers.MaxPooling2D(2))
    model.add(layers.Flatten())
    for units in (120, 84):
        model.add(layers.Dense(units, activation="relu"))
    model.add(layers.Dense(classes, activation="softmax"))
    return model, _LOSS


def mnist_cnn(input_shape, classes):
    """Keras's first example: two 3x3 convolutions of 32 and 64 filters, no hidden dense layer."""
    import keras
    from keras import layers

    model = keras.Sequential([keras.Input(input_shape)])
    for filters in (32, 64):
        model.add(layers.Conv2D(filters, 3, activation="relu"))
        model.add(layers.MaxPooling2D(2))
    model.add(layers.Flatten())
    model.add(layers.Dropout(0.5))
    model.add(layers.Dense(classes, activation="softmax"))
    return model, _LOSS


def alexnet_batch_norm(input_shape, classes):
    """AlexNet's order with stride 1 everywhere, batch normalisation and 1,024 filters; dense 3072 and 4096."""
    import keras
    from keras import layers

    norm = _normalisation()
    model = keras.Sequential([keras.Input(input_shape)])
    blocks = (
        (96, 11, False, True),
        (256, 5, False, True),
        (512, 3, True, True),
        (1024, 3, True, False),
        (1024, 3, True, True),
    )
    for filters, kernel, padded, pooled in blocks:
        if padded:
            model.add(layers.ZeroPadding2D(1))
        model.add(layers.Conv2D(filters, kernel, padding="same"))
        model.add(norm())
        model.add(layers.Activation("relu"))
        if pooled:
            model.add(layers.MaxPooling2D(2))
    model.add(layers.Flatten())
    for units in (3072, 4096):
        model.add(layers.Dense(units))
        model.add(norm())
        model.add(layers.Activation("relu"))
        model.add(layers.Dropout(0.5))
    model.add(layers.Dense(classes))
    model.add(norm())
    model.add(layers.Activation("softmax"))
    return model, _LOSS


def vgg11(input_shape, classes):
    """VGG, configuration A (Simonyan & Zisserman 2015, table 1)."""
    import keras
    from keras import layers

    model = keras.Sequential([keras.Input(input_shape)])
    for filters, convolutions in ((64, 1), (128, 1), (256, 2), (512, 2), (512, 2)):
        for _ in range(convolutions):
            model.add(layers.Conv2D(filters, 3, padding="same", activation="relu"))
        model.add(layers.MaxPooling2D(2))
    model.add(layers.Flatten())
    for _ in range(2):
        model.add(layers.Dense(4096, activation="relu"))
    model.add(layers.Dense(classes, activation="softmax"))
    return model, _LOSS


def resnet_small(input_shape, classes):
    """A stem of 7x7 and four residual blocks that have 1x1 convolutions only, of 64 and 128 filters."""
    import keras
    from keras import layers

    norm = _normalisation()
    image = keras.Input(input_shape)
    x = layers.Conv2D(64, 7, strides=2, padding="same", activation="relu")(image)
    x = layers.MaxPooling2D(3, 2, padding="same")(norm()(x))
    for filters, stride in ((64, 2), (64, 1), (128, 2), (128, 1)):
        shortcut = x
        if stride != 1:
            shortcut = norm()(layers.Conv2D(filters, 1, strides=stride)(x))
        x = norm()(layers.Conv2D(filters, 1, strides=stride)(x))
        x = norm()(layers.Conv2D(filters, 1)(layers.ReLU()(x)))
        x = layers.ReLU()(layers.Add()([shortcut, x]))
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(image, layers.Dense(classes, activation="softmax")(x)), _LOSS


def resnet50_preact(input_shape, classes):
    """ResNet-50 with activation before convolution (He et al. 2016, arXiv:1603.05027), kernels penalised."""
    import keras
    from keras import layers

    norm = _normalisation()

    def convolution(x, filters, kernel, stride=1):
        penalty = keras.regularizers.L2(1e-4)
        return layers.Conv2D(filters, kernel, strides=stride, padding="same", kernel_regularizer=penalty)(x)

    def normal(x):
        return layers.ReLU()(norm()(x))

    image = keras.Input(input_shape)
    x = layers.MaxPooling2D(3, 2, padding="same")(normal(convolution(image, 64, 7, 2)))
    for stage, repeats in enumerate((3, 4, 6, 3)):
        filters = 64 * 2**stage
        for block in range(repeats):
            stride = 2 if stage and not block else 1
            y = x if not stage and not block else normal(x)
            y = convolution(y, filters, 1, stride)
            y = convolution(normal(y), filters, 3)
            y = convolution(normal(y), 4 * filters, 1)
            shortcut = x if x.shape == y.shape else convolution(x, 4 * filters, 1, stride)
            x = layers.Add()([shortcut, y])
    x = normal(x)
    x = layers.Flatten()(layers.AveragePooling2D(x.shape[1:3], strides=1)(x))
    return keras.Model(image, layers.Dense(classes, activation="softmax")(x)), _LOSS


def _convolution(x, filters, kernel, stride=1, padding="same"):
    """A convolution as tensorflow/benchmarks builds it: its bias and its activation are operations of their own.

    A reshape stands between them (convnet_builder.py, ``conv``), so that TensorFlow does not make them one kernel.
    """
    from keras import layers

    x = layers.Conv2D(filters, kernel, strides=stride, padding=padding)(x)
    return layers.ReLU()(layers.Reshape(x.shape[1:])(x))


def _classified(x, classes):
    """Two dense layers of 4,096 with dropout, and the classes."""
    from keras import layers

    x = layers.Flatten()(x)
    for _ in range(2):
        x = layers.Dropout(0.5)(layers.Dense(4096, activation="relu")(x))
    return layers.Dense(classes, activation="softmax")(x)


def alexnet_one_tower(input_shape, classes):
    """AlexNet on one device: 11x11 stride 4, pooling 3/2, dense 4096 twice."""
    import keras
    from keras import layers

    image = keras.Input(input_shape)
    x = layers.MaxPooling2D(3, 2)(_convolution(image, 64, 11, 4, "valid"))
    x = layers.MaxPooling2D(3, 2)(_convolution(x, 192, 5))
    for filters in (384, 384, 256):
        x = _convolution(x, filters, 3)
    return keras.Model(image, _classified(layers.MaxPooling2D(3, 2)(x), classes)), _LOSS


def vgg16_one_tower(input_shape, classes):
    """VGG, configuration D (Simonyan & Zisserman 2015, table 1), with dropout."""
    import keras
    from keras import layers

    image = x = keras.Input(input_shape)
    for filters, convolutions in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(convolutions):
            x = _convolution(x, filters, 3)
        x = layers.MaxPooling2D(2)(x)
    return keras.Model(image, _classified(x, classes)), _LOSS
