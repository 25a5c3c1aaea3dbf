from app.core.simulate.xla.triton import MOST_PARAMETERS, taken_in
from tests.core.xla_modules import IMAGE, WEIGHT, Maker


def with_weights(make, value, count):
    for _ in range(count):
        value = make.add("map", value, make.add("spread", 0))
    return value


def test_a_product_makes_an_operand_of_an_array_a_bias_and_a_relu_itself():
    make = Maker()
    product = make.add("call")
    relu = make.add("map", with_weights(make, product, 1), make.add("spread"))
    assert taken_in(make.module, relu) == product
    assert taken_in(make.module, make.add("bitcast", relu)) == product


def test_two_arrays_are_not_read_in_place_of_one():
    make = Maker()
    both = make.add("multiply", make.add("call"), make.add("call"))
    assert taken_in(make.module, both) == both


def test_nor_is_an_array_of_another_size_or_one_with_many_weights():
    make = Maker()
    narrow = make.add("map", make.add("call"), size=IMAGE.times(1 / 2))
    assert taken_in(make.module, narrow) == narrow
    product = make.add("call")
    assert taken_in(make.module, with_weights(make, product, MOST_PARAMETERS)) != product
    assert taken_in(make.module, make.add("map", 0, size=WEIGHT)) != 0
